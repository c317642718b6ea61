module kubectl-crossplane/go-tar

go 1.21
