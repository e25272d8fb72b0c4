import ArgumentParser
import PoolModel
import Testing

@testable import poolsensors

@Suite struct ProductWordTests {
    @Test(
        arguments: [
            ("sodium-bisulfate", nil, .sodiumBisulfate), ("Sodium Bisulphate", nil, .sodiumBisulfate),
            ("pH minus", .grams, .sodiumBisulfate), ("ph-", .grams, .sodiumBisulfate),
            ("pH moins", .grams, .sodiumBisulfate),
            ("pH plus", .grams, .sodiumCarbonate), ("PH+", nil, .sodiumCarbonate), ("soda ash", nil, .sodiumCarbonate),
            ("hypochlorite de sodium", .millilitres, .sodiumHypochlorite), ("eau de Javel", nil, .sodiumHypochlorite),
            ("chlorine", .millilitres, .sodiumHypochlorite), ("bleach", nil, .sodiumHypochlorite),
            ("muriatic acid", nil, .hydrochloricAcid), ("acide chlorhydrique", nil, .hydrochloricAcid),
            ("galets", .grams, .trichlor), ("trichlore", nil, .trichlor), ("autre produit", nil, .other),
        ] as [(String, Dose.Unit?, DoseProduct)])
    func `a product is meant by its identifier, its names and those of shops`(
        text: String, unit: Dose.Unit?, product: DoseProduct
    ) throws {
        #expect(try ProductWord.product(text, in: unit) == product)
    }

    @Test func `each product is meant by its identifier and by its name`() throws {
        for product in DoseProduct.allCases {
            for word in [product.rawValue, product.name] {
                #expect(try ProductWord.product(word) == product, "\(word)")
            }
        }
    }

    @Test(arguments: [
        (
            "pH minus", Dose.Unit.millilitres,
            "\"pH minus\" may be one of hydrochloric-acid, sulfuric-acid: read the label"
        ),
        ("chlorine", .grams, "\"chlorine\" may be one of calcium-hypochlorite, dichlor, trichlor: read the label"),
        (
            "pH mines", .grams,
            "\"pH mines\" is no product that is known: did you mean \"pH minus\"? There are calcium-hypo"
        ),
        ("sodium-hypoclorite", .millilitres, "did you mean \"sodium-hypochlorite\"?"),
        ("zzz", .grams, "\"zzz\" is no product that is known: There are calcium-hypochlorite, dichlor"),
    ])
    func `another name is answered with what may be meant`(text: String, unit: Dose.Unit, words: String) throws {
        let error = try #require(throws: ValidationError.self) { _ = try ProductWord.product(text, in: unit) }
        #expect(error.message.contains(words), "\(error.message)")
    }

    @Test func `a dose is logged of the product that its name and its unit mean`() throws {
        let options = try DoseAddCommand.parse(["Garden", "pH minus", "150g"]).dose
        let dose = try options.dose(in: PoolID(high: 1, low: 1), by: "hub", at: Timestamp(milliseconds: 0))
        #expect(dose.product == .sodiumBisulfate && dose.amount == 150)
        #expect(throws: (any Error).self) { try DoseAddCommand.parse(["Garden", "pH minus", "150mL"]) }
    }
}
