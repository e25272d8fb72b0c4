-- What a ride needs beside the four tables. A driver's point in chauffeurs is the newest that was believed.
CREATE TABLE chauffeur_profil (
    chauffeur_id INTEGER PRIMARY KEY REFERENCES chauffeurs (id),
    nom VARCHAR(80) NOT NULL,
    plaque VARCHAR(20) NOT NULL
);

-- The last fix of each driver. A suspect one is farther than a car can be; it is kept and not shown.
CREATE TABLE position (
    chauffeur_id INTEGER PRIMARY KEY REFERENCES chauffeurs (id),
    mesuree TIMESTAMPTZ NOT NULL,
    suspecte BOOLEAN NOT NULL DEFAULT false,
    suspect_point GEOGRAPHY (Point, 4326),
    suspect_mesuree TIMESTAMPTZ
);

CREATE TABLE course_detail (
    course_id INTEGER PRIMARY KEY REFERENCES courses (id),
    demandee TIMESTAMPTZ NOT NULL DEFAULT now(),
    -- The rings of offers: which one, and until when.
    anneau INTEGER NOT NULL DEFAULT 0,
    anneau_fin TIMESTAMPTZ NOT NULL DEFAULT now(),
    annulee_par VARCHAR(20) CHECK (annulee_par IN ('client', 'chauffeur', 'systeme')),
    raison VARCHAR(200)
);

CREATE TABLE offre (
    course_id INTEGER NOT NULL REFERENCES courses (id),
    chauffeur_id INTEGER NOT NULL REFERENCES chauffeurs (id),
    anneau INTEGER NOT NULL,
    expire TIMESTAMPTZ NOT NULL,
    refusee BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY (course_id, chauffeur_id)
);
CREATE INDEX offre_chauffeur ON offre (chauffeur_id, expire);

CREATE TABLE phase (
    course_id INTEGER PRIMARY KEY REFERENCES courses (id),
    phase VARCHAR(20) NOT NULL CHECK (phase IN ('en_route', 'arrive', 'a_bord')),
    depuis TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- Outbox and history in one. Readers go by (xid, id) below the oldest running transaction, so none is skipped.
CREATE TABLE course_evenement (
    id BIGSERIAL PRIMARY KEY,
    xid XID8 NOT NULL DEFAULT pg_current_xact_id(),
    course_id INTEGER NOT NULL REFERENCES courses (id),
    client_id INTEGER NOT NULL,
    chauffeur_id INTEGER,
    genre VARCHAR(20) NOT NULL,
    texte VARCHAR(200),
    montant NUMERIC(10, 2),
    le TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX evenement_ordre ON course_evenement (xid, id);
CREATE INDEX evenement_client ON course_evenement (client_id, xid, id);
CREATE INDEX evenement_chauffeur ON course_evenement (chauffeur_id, xid, id);

-- What a command with an identity answered, so that it is carried out once.
CREATE TABLE commande (
    cle VARCHAR(32) PRIMARY KEY,
    utilisateur_id INTEGER NOT NULL,
    course_id INTEGER,
    le TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE INDEX chauffeurs_disponibles ON chauffeurs USING gist (localisation) WHERE statut = 'disponible';
CREATE INDEX courses_client ON courses (client_id);
CREATE INDEX courses_chauffeur ON courses (chauffeur_id);
CREATE INDEX courses_ouvertes ON courses (statut) WHERE statut IN ('demande', 'accepte');
-- A driver has one ride at a time, and so has a client.
CREATE UNIQUE INDEX une_course_par_chauffeur ON courses (chauffeur_id) WHERE statut = 'accepte';
CREATE UNIQUE INDEX une_course_par_client ON courses (client_id) WHERE statut IN ('demande', 'accepte');

-- The steps of a ride, as in Course.Statut.transitions.
CREATE FUNCTION verifier_course() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.statut IN ('accepte', 'completed') AND NEW.chauffeur_id IS NULL THEN
        RAISE EXCEPTION 'a ride that is % has a driver', NEW.statut USING ERRCODE = 'RD002';
    END IF;
    IF TG_OP = 'INSERT' THEN
        RETURN NEW;
    END IF;
    IF OLD.statut <> NEW.statut AND (OLD.statut, NEW.statut) NOT IN (
        ('demande', 'accepte'), ('demande', 'annule'), ('accepte', 'annule'), ('accepte', 'completed')
    ) THEN
        RAISE EXCEPTION 'a ride does not go from % to %', OLD.statut, NEW.statut USING ERRCODE = 'RD001';
    END IF;
    IF OLD.chauffeur_id IS DISTINCT FROM NEW.chauffeur_id AND NOT (OLD.statut = 'demande' AND NEW.statut = 'accepte') THEN
        RAISE EXCEPTION 'the driver of a ride changes only when it is accepted' USING ERRCODE = 'RD002';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER verifier_course BEFORE INSERT OR UPDATE ON courses FOR EACH ROW EXECUTE FUNCTION verifier_course();

-- What follows from a step, in the same transaction: the event, the driver's status, the phase, the payment.
CREATE FUNCTION suivre_course() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
    detail course_detail;
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO course_detail (course_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
    ELSIF OLD.statut = NEW.statut THEN
        RETURN NULL;
    END IF;
    SELECT * INTO detail FROM course_detail WHERE course_id = NEW.id;
    INSERT INTO course_evenement (course_id, client_id, chauffeur_id, genre, texte)
    VALUES (
        NEW.id, NEW.client_id, NEW.chauffeur_id, NEW.statut,
        CASE NEW.statut WHEN 'annule' THEN concat_ws(': ', detail.annulee_par, detail.raison) END
    );
    IF TG_OP = 'UPDATE' AND NEW.statut = 'accepte' THEN
        INSERT INTO phase (course_id, phase) VALUES (NEW.id, 'en_route');
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.statut IN ('annule', 'completed') THEN
        DELETE FROM phase WHERE course_id = NEW.id;
        UPDATE chauffeurs SET statut = 'disponible' WHERE id = NEW.chauffeur_id AND statut = 'en_course';
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.statut = 'completed' THEN
        -- The payment is simulated: the reference stands for that of a provider.
        INSERT INTO transactions (course_id, montant_final, token_paiement, statut)
        VALUES (NEW.id, NEW.montant_estime, 'sim_' || gen_random_uuid(), 'charged');
        INSERT INTO course_evenement (course_id, client_id, chauffeur_id, genre, montant)
        VALUES (NEW.id, NEW.client_id, NEW.chauffeur_id, 'recu', NEW.montant_estime);
    END IF;
    PERFORM pg_notify('rides', '');
    RETURN NULL;
END $$;
CREATE TRIGGER suivre_course AFTER INSERT OR UPDATE ON courses FOR EACH ROW EXECUTE FUNCTION suivre_course();

CREATE FUNCTION suivre_phase() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
    IF OLD.phase <> NEW.phase THEN
        INSERT INTO course_evenement (course_id, client_id, chauffeur_id, genre)
        SELECT id, client_id, chauffeur_id, NEW.phase FROM courses WHERE id = NEW.course_id;
        PERFORM pg_notify('rides', '');
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER suivre_phase AFTER UPDATE ON phase FOR EACH ROW EXECUTE FUNCTION suivre_phase();

CREATE FUNCTION reveiller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('rides', '');
    RETURN NULL;
END $$;
CREATE TRIGGER reveiller_offre AFTER INSERT OR UPDATE ON offre FOR EACH STATEMENT EXECUTE FUNCTION reveiller();
CREATE TRIGGER reveiller_chauffeur AFTER UPDATE OF statut ON chauffeurs FOR EACH STATEMENT EXECUTE FUNCTION reveiller();
