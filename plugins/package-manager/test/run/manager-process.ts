import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {ProgramProcess} from '../../../../test/cluster/program-process.js'

/** A process of `manager run`. It ends with this process. */
export class ManagerProcess extends ProgramProcess {
  constructor(flags: readonly string[], pod?: ConstructorParameters<typeof ProgramProcess>[1]) {
    super(['manager', 'run', ...flags], pod)
  }
}

/** Writes a kubeconfig of the manager beside that of the administrator; returns its path. */
export function managerKubeconfig({folder, kubeconfig, tokens}: TestCluster, token: string): string {
  const path = join(folder, 'manager.kubeconfig')
  writeFileSync(path, readFileSync(kubeconfig, 'utf8').replace(tokens.admin, token))
  return path
}
