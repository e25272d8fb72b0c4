-- The four tables of the published models, as they were seeded.
CREATE EXTENSION IF NOT EXISTS postgis;

CREATE TABLE utilisateurs (
    id SERIAL PRIMARY KEY,
    role VARCHAR(20) NOT NULL CHECK (role IN ('client', 'chauffeur')),
    email VARCHAR(255) UNIQUE NOT NULL,
    password_hash VARCHAR(255) NOT NULL
);

CREATE TABLE chauffeurs (
    id SERIAL PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES utilisateurs (id),
    localisation GEOGRAPHY (Point, 4326) NOT NULL,
    statut VARCHAR(20) NOT NULL CHECK (statut IN ('disponible', 'en_course', 'hors_ligne'))
);

CREATE TABLE courses (
    id SERIAL PRIMARY KEY,
    client_id INTEGER NOT NULL REFERENCES utilisateurs (id),
    chauffeur_id INTEGER REFERENCES chauffeurs (id),
    depart_point GEOGRAPHY (Point, 4326) NOT NULL,
    arrivee_point GEOGRAPHY (Point, 4326) NOT NULL,
    statut VARCHAR(20) NOT NULL CHECK (statut IN ('demande', 'accepte', 'annule', 'completed')),
    montant_estime NUMERIC(10, 2) NOT NULL
);

CREATE TABLE transactions (
    id SERIAL PRIMARY KEY,
    course_id INTEGER UNIQUE NOT NULL REFERENCES courses (id),
    montant_final NUMERIC(10, 2) NOT NULL,
    token_paiement VARCHAR(255),
    statut VARCHAR(20) NOT NULL CHECK (statut IN ('charged', 'failed', 'refunded'))
);
