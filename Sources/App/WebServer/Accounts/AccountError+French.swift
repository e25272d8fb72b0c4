import Text

extension AccountError {
    /// What the page says in French; nil for what only the command line says.
    package var french: String? {
        switch self {
        case .damaged: "le fichier des comptes est endommagé ; la sortie de la page dit lequel, et que faire"
        case .unreadable: "les comptes ne peuvent pas être lus maintenant ; la sortie de la page dit pourquoi"
        case .unwritable(_, let reason):
            "les comptes ne peuvent pas être écrits maintenant (\(reason)) : connexions et changements doivent "
                + "attendre ; qui est connecté voit les bassins comme avant"
        case .nameTaken(let name): "il y a déjà un compte \(Excerpt(name)) : choisissez un autre nom"
        case .nameUnfit(let name):
            "le nom \(Excerpt(name)) ne convient pas : il faut 1 à 64 octets, tous visibles, pas seulement des espaces"
        case .noUser(let name): "il n'y a pas de compte \(Excerpt(name))"
        case .lastOwner(let name):
            "\(Excerpt(name)) est le dernier propriétaire actif : nommez d'abord un autre propriétaire"
        case .notFirst: "il y a déjà un compte : un propriétaire peut en ajouter"
        case .tooMany: "il y en a déjà \(AccountFile.countMax) : supprimez-en"
        case .newerFile, .noScope, .firstIsOwner, .passwordUnfit, .metricsOfOwners: nil
        }
    }
}
