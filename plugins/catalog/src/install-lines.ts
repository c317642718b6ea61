import {shellWord} from 'kubectl-crossplane/plugin'
import {hasRegistry, type VersionSummary} from './site-model.js'

/** Lines to copy, and what they are. */
export interface InstallLines {
  readonly label: string
  readonly text: string
}

/**
 * Returns the lines that install a version: a command, and for a current Crossplane the object that it creates, which needs
 * a registry.
 */
export function installLines({
  package: name,
  version,
  request,
  isInFolder,
  isNamespaced,
}: VersionSummary): readonly InstallLines[] {
  const reference = version.startsWith('sha256:') ? `${name}@${version}` : `${name}:${version}`
  const flags = [
    ...(isNamespaced ? ['--namespace NAMESPACE'] : []),
    ...(isInFolder ? ['--packages DIR'] : []),
  ]
  const text = ['kubectl crossplane package install', shellWord(reference), ...flags].join(' ')
  const command = {label: 'Command', text}
  if (request === undefined || !hasRegistry(name)) return [command]
  const lines = [
    'apiVersion: pkg.crossplane.io/v1',
    `kind: ${request.kind}`,
    'metadata:',
    `  name: ${JSON.stringify(request.name)}`,
    'spec:',
    `  package: ${JSON.stringify(reference)}`,
  ]
  return [command, {label: 'Manifest', text: lines.join('\n')}]
}
