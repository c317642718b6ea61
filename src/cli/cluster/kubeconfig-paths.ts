import {homedir} from 'node:os'
import {delimiter, join} from 'node:path'

/** Lists the files of KUBECONFIG; if it is not set, that of the home folder. */
export function kubeconfigPaths({
  KUBECONFIG = '',
  HOME = homedir(),
}: Readonly<Record<string, string | undefined>>): readonly string[] {
  return KUBECONFIG === '' ? [join(HOME, '.kube/config')] : KUBECONFIG.split(delimiter)
}
