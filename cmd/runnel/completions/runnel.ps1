# Completion of runnel for PowerShell. In $PROFILE:
#
#   runnel completions powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName runnel -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    ($words + $wordToComplete) -join "`n" | runnel completions words 2>$null | ForEach-Object {
        $word, $about = $_ -split "`t", 2
        # PowerShell itself completes the names of files where nothing else is found.
        if (-not $word.StartsWith(':')) {
            if (-not $about) { $about = $word }
            [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
        }
    }
}
