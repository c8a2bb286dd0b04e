"""Parts of tools/fuzz: inputs, mutations by format, commands, and how a run is judged."""
