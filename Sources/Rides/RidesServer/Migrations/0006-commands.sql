-- What the command was, as a hash: another command with the same identity is refused. NULL for those of before.
ALTER TABLE commande ADD COLUMN empreinte VARCHAR(64);

-- NaN is a number to PostgreSQL, and no amount.
CREATE FUNCTION verifier_montant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.montant_estime = 'NaN' AND (TG_OP = 'INSERT' OR NEW.statut = 'completed' OR OLD.montant_estime <> 'NaN') THEN
        RAISE EXCEPTION 'a ride costs an amount, not NaN' USING ERRCODE = 'RD003';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER verifier_montant BEFORE INSERT OR UPDATE ON courses FOR EACH ROW EXECUTE FUNCTION verifier_montant();
