module kubectl-crossplane/go-semver

go 1.24

require (
	github.com/Masterminds/semver v1.5.0
	github.com/Masterminds/semver/v3 v3.4.0
)
