@rem kubectl runs this to complete the words after "kubectl crossplane".
@"%~dp0kubectl-crossplane.exe" __complete %*
