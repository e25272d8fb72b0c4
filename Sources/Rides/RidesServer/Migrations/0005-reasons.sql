-- What an event says is the reason of a cancellation, at most 200 characters, after the word for who cancelled.
ALTER TABLE course_evenement ALTER COLUMN texte TYPE VARCHAR(240);
