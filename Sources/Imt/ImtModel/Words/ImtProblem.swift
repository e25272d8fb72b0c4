/// Why something is refused, in both languages of the page.
package typealias ImtProblem = BilingualProblem
