/** Namespace and name of the record; they identify an install in a cluster. */
export interface InstallId {
  readonly namespace: string
  readonly name: string
}
