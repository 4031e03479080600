# What PowerShell offers for each line of stdin, with a line of "." at its end.
param($Script)
. $Script
while ($null -ne ($line = [Console]::In.ReadLine())) {
	foreach ($match in (TabExpansion2 -inputScript $line -cursorColumn $line.Length).CompletionMatches) {
		[Console]::Out.WriteLine($match.CompletionText)
	}
	[Console]::Out.WriteLine('.')
}
