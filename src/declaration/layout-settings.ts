/** The names of layouts: for `kubectl apply -k` and other tools, for Flux, for Argo CD. */
export const LAYOUTS = ['plain', 'flux', 'argocd'] as const

/** The settings of a tree that Flux reconciles. */
export interface FluxSettings {
  /** The name of the GitRepository. */
  readonly source: string
  /** The namespace of the GitRepository and of the Kustomizations. */
  readonly namespace: string
  /** The time between two reconciliations, as Flux writes it, such as `10m`. */
  readonly interval: string
}

/** The settings of a tree that Argo CD syncs. */
export interface ArgoCdSettings {
  readonly repoURL: string
  readonly targetRevision: string
  /** The cluster, by the URL of its API server or by its name in Argo CD. */
  readonly destination: {readonly server: string} | {readonly name: string}
  readonly project: string
  /** The namespace of the Application. */
  readonly namespace: string
}

/** The settings of Flux that apply where none are given: those of `flux bootstrap`. */
export const FLUX_DEFAULTS: FluxSettings = {
  source: 'flux-system',
  namespace: 'flux-system',
  interval: '10m',
}

/** The settings of Argo CD that apply where none are given: those of its manifests. */
export const ARGOCD_DEFAULTS: Omit<ArgoCdSettings, 'repoURL'> = {
  targetRevision: 'HEAD',
  destination: {server: 'https://kubernetes.default.svc'},
  project: 'default',
  namespace: 'argocd',
}
