/** A break of a row of the register: a change of the product's text that a test of the row has to find. */
export interface PlantedBreak {
	/** The row's name in the register. */
	row: string;
	/** The file of the row's tests that finds it; a quick one, where the row has several. */
	by: string;
	/** What no longer holds. */
	fault: string;
	file: string;
	/** Occurs once in the file. */
	from: string;
	to: string;
}
