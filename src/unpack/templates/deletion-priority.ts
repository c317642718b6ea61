/** The annotation of the order in which the objects of a custom resource are deleted. */
// eslint-disable-next-line no-restricted-syntax -- the annotation has the same name in both eras
export const DELETION_PRIORITY = 'templatestacks.crossplane.io/deletion-priority'
