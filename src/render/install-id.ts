/** Namespace and name of the record: what tells two installs of one cluster apart. */
export interface InstallId {
  readonly namespace: string
  readonly name: string
}
