package import ImtPhone
package import WebServer

extension WebAPI {
    /// Creates the answerer of IMT's page.
    ///
    /// Links for guests are left out: photos are for people who have an account.
    ///
    /// - Parameters:
    ///   - settings: How the server is reached.
    ///   - clinic: The clinic.
    ///   - accounts: The accounts.
    ///   - setupCode: The code of the first account.
    package convenience init(settings: WebSettings, clinic: Clinic, accounts: AccountStore, setupCode: SetupCode) {
        self.init(
            settings: settings, accounts: accounts, setupCode: setupCode, resource: { PageFiles.imt.find($0) }
        ) { parts in
            let handlers = ClinicHandlers(
                clinic: clinic, streams: parts.streams, accounts: parts.accounts, clock: parts.clock)
            return ClinicRoutes.all.map { $0.served(by: handlers) }
                + parts.accountRoutes { Right(rawValue: $0) != nil }.filter {
                    !$0.route.path.hasPrefix("/api/v1/shares")
                }
        }
    }
}
