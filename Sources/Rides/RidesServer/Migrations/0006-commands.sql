-- What the command was, as a hash: another command with the same identity is refused. NULL for those of before.
ALTER TABLE commande ADD COLUMN empreinte VARCHAR(64);
