/** What is used of it: the package brings no types. */
declare module "cliui" {
	interface Column {
		text: string;
		width?: number;
		/** Above, right, below, left. */
		padding?: [number, number, number, number];
	}
	export default function cliui(options: { width: number; wrap?: boolean }): {
		div(...columns: Column[]): void;
		toString(): string;
	};
}
