-- Policies that look up each row by its key: what a statement costs follows the rows that it looks at, and not the number of
-- drivers of a person or of its past rides.
CREATE INDEX chauffeurs_utilisateur ON chauffeurs (user_id);

-- Whether the person is this driver.
CREATE FUNCTION est_mien(chauffeur INTEGER) RETURNS BOOLEAN
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
BEGIN
    RETURN chauffeur IS NOT NULL AND EXISTS (SELECT FROM chauffeurs c WHERE c.id = chauffeur AND c.user_id = moi());
END $$;
-- Whether the ride is offered to one of the person's drivers now.
CREATE FUNCTION est_offerte(course INTEGER) RETURNS BOOLEAN
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM offre o JOIN chauffeurs c ON c.id = o.chauffeur_id
        WHERE o.course_id = course AND c.user_id = moi() AND o.expire > now() AND NOT o.refusee
    );
END $$;
-- Whether the ride is the person's, as client or as driver.
CREATE FUNCTION est_ma_course(course INTEGER) RETURNS BOOLEAN
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
BEGIN
    RETURN EXISTS (SELECT FROM courses c WHERE c.id = course AND (c.client_id = moi() OR est_mien(c.chauffeur_id)));
END $$;

ALTER POLICY voir ON chauffeur_profil
USING (chauffeur_id = ANY ((SELECT conduit_par())::INTEGER[]) OR est_mien(chauffeur_id));
ALTER POLICY voir ON position
USING (chauffeur_id = ANY ((SELECT conduit_par())::INTEGER[]) OR est_mien(chauffeur_id));
ALTER POLICY voir ON courses
USING (client_id = (SELECT moi()) OR est_mien(chauffeur_id) OR (statut = 'demande' AND est_offerte(id)));
ALTER POLICY conduire ON courses
USING (est_mien(chauffeur_id) OR (statut = 'demande' AND est_offerte(id)))
WITH CHECK (est_mien(chauffeur_id) AND statut IN ('accepte', 'annule', 'completed'));
ALTER POLICY voir ON transactions USING (est_ma_course(course_id));
ALTER POLICY mien ON course_detail USING (est_ma_course(course_id));
ALTER POLICY mienne ON offre USING (est_mien(chauffeur_id));
ALTER POLICY voir ON phase USING (est_ma_course(course_id));
ALTER POLICY changer ON phase
USING (EXISTS (SELECT FROM courses c WHERE c.id = course_id AND est_mien(c.chauffeur_id)));
ALTER POLICY voir ON course_evenement USING (client_id = (SELECT moi()) OR est_mien(chauffeur_id));

DROP FUNCTION mes_courses();
DROP FUNCTION offertes();
DROP FUNCTION mes_chauffeurs();
