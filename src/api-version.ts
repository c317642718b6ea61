/** The version of the documents that this program reads and writes: declaration, lock, plan, index and output. */
export const API_VERSION = 'packages.kubectl-crossplane.dev/v1alpha1'
