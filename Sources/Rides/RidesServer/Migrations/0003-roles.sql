-- The server acts as one of three roles, which no one logs in as: a person, the operator who only reads, and the engine.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'rides_personne') THEN CREATE ROLE rides_personne NOLOGIN; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'rides_regie') THEN CREATE ROLE rides_regie NOLOGIN; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'rides_moteur') THEN CREATE ROLE rides_moteur NOLOGIN; END IF;
    EXECUTE format('GRANT rides_personne, rides_regie, rides_moteur TO %I', current_user);
-- Another server on the same cluster may be first.
EXCEPTION WHEN unique_violation OR duplicate_object THEN
    EXECUTE format('GRANT rides_personne, rides_regie, rides_moteur TO %I', current_user);
END $$;

-- Who asks.
CREATE FUNCTION moi() RETURNS INTEGER LANGUAGE sql STABLE
RETURN nullif(current_setting('rides.utilisateur', true), '')::INTEGER;
-- The drivers that the person is. Policies ask it, and are not asked by it.
CREATE FUNCTION mes_chauffeurs() RETURNS INTEGER[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
RETURN (SELECT coalesce(array_agg(id), '{}') FROM chauffeurs WHERE user_id = moi());
-- The drivers whom the person rides with now.
CREATE FUNCTION conduit_par() RETURNS INTEGER[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
RETURN (SELECT coalesce(array_agg(chauffeur_id), '{}') FROM courses WHERE client_id = moi() AND statut = 'accepte');
-- The rides that are offered to the person's drivers.
CREATE FUNCTION offertes() RETURNS INTEGER[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
RETURN (
    SELECT coalesce(array_agg(course_id), '{}') FROM offre
    WHERE chauffeur_id = ANY (mes_chauffeurs()) AND expire > now() AND NOT refusee
);
-- The rides of the person, as client or as driver.
CREATE FUNCTION mes_courses() RETURNS INTEGER[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
RETURN (
    SELECT coalesce(array_agg(id), '{}') FROM courses
    WHERE client_id = moi() OR chauffeur_id = ANY (mes_chauffeurs())
);

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM rides_personne, rides_regie, rides_moteur;
-- No role may read password_hash, and only the engine writes the references of payments, which none reads.
GRANT SELECT (id, role, email) ON utilisateurs TO rides_personne, rides_regie, rides_moteur;
GRANT SELECT (id, course_id, montant_final, statut) ON transactions TO rides_personne, rides_regie, rides_moteur;
GRANT SELECT ON chauffeurs, courses, chauffeur_profil, position, course_detail, offre, phase, course_evenement
TO rides_personne, rides_regie, rides_moteur;
GRANT UPDATE (statut) ON chauffeurs TO rides_personne;
GRANT INSERT (client_id, depart_point, arrivee_point, statut, montant_estime) ON courses TO rides_personne;
GRANT UPDATE (statut, chauffeur_id) ON courses TO rides_personne, rides_moteur;
GRANT UPDATE (annulee_par, raison) ON course_detail TO rides_personne;
GRANT UPDATE (refusee) ON offre TO rides_personne;
GRANT UPDATE (phase, depuis) ON phase TO rides_personne;
GRANT SELECT, INSERT, UPDATE (course_id) ON commande TO rides_personne;
GRANT UPDATE (localisation, statut) ON chauffeurs TO rides_moteur;
GRANT INSERT, UPDATE ON position, offre, course_detail TO rides_moteur;
GRANT INSERT ON course_evenement TO rides_moteur;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO rides_personne, rides_moteur;

ALTER TABLE utilisateurs ENABLE ROW LEVEL SECURITY;
ALTER TABLE chauffeurs ENABLE ROW LEVEL SECURITY;
ALTER TABLE courses ENABLE ROW LEVEL SECURITY;
ALTER TABLE transactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE chauffeur_profil ENABLE ROW LEVEL SECURITY;
ALTER TABLE position ENABLE ROW LEVEL SECURITY;
ALTER TABLE course_detail ENABLE ROW LEVEL SECURITY;
ALTER TABLE offre ENABLE ROW LEVEL SECURITY;
ALTER TABLE phase ENABLE ROW LEVEL SECURITY;
ALTER TABLE course_evenement ENABLE ROW LEVEL SECURITY;
ALTER TABLE commande ENABLE ROW LEVEL SECURITY;

-- The engine and the operator see every row of what they were granted.
CREATE POLICY tout ON utilisateurs TO rides_regie, rides_moteur USING (true);
CREATE POLICY tout ON chauffeurs TO rides_regie, rides_moteur USING (true);
CREATE POLICY tout ON courses TO rides_regie, rides_moteur USING (true);
CREATE POLICY tout ON transactions TO rides_regie, rides_moteur USING (true);
CREATE POLICY tout ON chauffeur_profil TO rides_regie, rides_moteur USING (true);
CREATE POLICY tout ON position TO rides_regie, rides_moteur USING (true);
CREATE POLICY tout ON course_detail TO rides_regie, rides_moteur USING (true);
CREATE POLICY tout ON offre TO rides_regie, rides_moteur USING (true);
CREATE POLICY tout ON phase TO rides_regie, rides_moteur USING (true);
CREATE POLICY tout ON course_evenement TO rides_regie, rides_moteur USING (true);

-- A person sees itself, its rides, what is offered to it, and its driver while the ride is accepted. A function in a SELECT
-- is asked once for each statement, and not for each row.
CREATE POLICY moi ON utilisateurs TO rides_personne USING (id = (SELECT moi()));
CREATE POLICY voir ON chauffeurs FOR SELECT TO rides_personne
USING (user_id = (SELECT moi()) OR id = ANY ((SELECT conduit_par())::INTEGER[]));
CREATE POLICY changer ON chauffeurs FOR UPDATE TO rides_personne USING (user_id = (SELECT moi())) WITH CHECK (user_id = (SELECT moi()));
CREATE POLICY voir ON chauffeur_profil FOR SELECT TO rides_personne
USING (chauffeur_id = ANY ((SELECT mes_chauffeurs())::INTEGER[]) OR chauffeur_id = ANY ((SELECT conduit_par())::INTEGER[]));
CREATE POLICY voir ON position FOR SELECT TO rides_personne
USING (chauffeur_id = ANY ((SELECT mes_chauffeurs())::INTEGER[]) OR chauffeur_id = ANY ((SELECT conduit_par())::INTEGER[]));
CREATE POLICY voir ON courses FOR SELECT TO rides_personne
USING (client_id = (SELECT moi()) OR chauffeur_id = ANY ((SELECT mes_chauffeurs())::INTEGER[]) OR (statut = 'demande' AND id = ANY ((SELECT offertes())::INTEGER[])));
CREATE POLICY demander ON courses FOR INSERT TO rides_personne
WITH CHECK (client_id = (SELECT moi()) AND statut = 'demande' AND chauffeur_id IS NULL);
CREATE POLICY annuler ON courses FOR UPDATE TO rides_personne
USING (client_id = (SELECT moi())) WITH CHECK (client_id = (SELECT moi()) AND statut = 'annule');
CREATE POLICY conduire ON courses FOR UPDATE TO rides_personne
USING (chauffeur_id = ANY ((SELECT mes_chauffeurs())::INTEGER[]) OR (statut = 'demande' AND id = ANY ((SELECT offertes())::INTEGER[])))
WITH CHECK (chauffeur_id = ANY ((SELECT mes_chauffeurs())::INTEGER[]) AND statut IN ('accepte', 'annule', 'completed'));
CREATE POLICY voir ON transactions FOR SELECT TO rides_personne USING (course_id = ANY ((SELECT mes_courses())::INTEGER[]));
CREATE POLICY mien ON course_detail TO rides_personne USING (course_id = ANY ((SELECT mes_courses())::INTEGER[]));
CREATE POLICY mienne ON offre TO rides_personne USING (chauffeur_id = ANY ((SELECT mes_chauffeurs())::INTEGER[]));
CREATE POLICY voir ON phase FOR SELECT TO rides_personne USING (course_id = ANY ((SELECT mes_courses())::INTEGER[]));
CREATE POLICY changer ON phase FOR UPDATE TO rides_personne
USING (course_id IN (SELECT id FROM courses WHERE chauffeur_id = ANY ((SELECT mes_chauffeurs())::INTEGER[])));
CREATE POLICY voir ON course_evenement FOR SELECT TO rides_personne
USING (client_id = (SELECT moi()) OR chauffeur_id = ANY ((SELECT mes_chauffeurs())::INTEGER[]));
CREATE POLICY mienne ON commande TO rides_personne
USING (utilisateur_id = (SELECT moi())) WITH CHECK (utilisateur_id = (SELECT moi()));
