/**
 * Annotation, on its descriptor, of the layer that holds all of `.registry/`: where no later layer touches that folder,
 * a reader needs no other one. It is a hint by whoever built the image, and no more to be believed than the rest of it.
 */
export const REGISTRY_LAYER = {key: 'dev.kubectl-crossplane.packages.layer', value: 'registry'} as const
