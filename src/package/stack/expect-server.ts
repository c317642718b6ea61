import type {ServerVersion} from '../../cluster/api/cluster-api.js'
import {isOfRelease, servesV1beta1} from '../../crd/kube-version.js'
import {CrossplaneError} from '../../errors.js'
import {escaped} from '../../text.js'
import type {ReadDeclaration} from '../../pipeline/request/given-settings.js'

/** Throws `cluster-refused` for a declaration that is rendered for a different Kubernetes than that of a cluster. */
export async function expectServer(
  {name, content}: ReadDeclaration,
  readVersion: () => Promise<ServerVersion>,
): Promise<void> {
  const {kubeVersion, crdVersion} = content.render
  if (kubeVersion === undefined && crdVersion !== 'v1beta1') return
  const server = await readVersion()
  const release = `${server.major}.${server.minor}`
  if (kubeVersion !== undefined && !isOfRelease(kubeVersion, server)) {
    const message = `render.kubeVersion in ${name} is ${kubeVersion}, but the cluster has Kubernetes ${escaped(server.gitVersion)}`
    throw new CrossplaneError('cluster-refused', message, {
      suggestions: [`Select another cluster with --context, or set render.kubeVersion to "${release}".`],
    })
  }
  if (crdVersion === 'v1beta1' && !servesV1beta1(release)) {
    const message = `render.crdVersion in ${name} is v1beta1, but the cluster has Kubernetes ${escaped(server.gitVersion)}, which serves v1`
    throw new CrossplaneError('cluster-refused', message, {
      suggestions: ['Select another cluster with --context, or remove render.crdVersion.'],
    })
  }
}
