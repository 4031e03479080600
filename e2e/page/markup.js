/** Would set `window.harmed`, and ask another server, if any of it became markup. */
export const MARKUP = `<img src="http://elsewhere.example/x" onerror="window.harmed=1"><script>window.harmed=1</script>`;
