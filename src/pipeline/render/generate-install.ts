import {defaultInstanceName, checkInstanceName, checkNamespace} from '../../reference/instance-name.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {checkedRequest} from '../../render/check-request.js'
import type {EraName} from '../../reference/era-name.js'
import {ERAS} from '../../render/era.js'
import {type InstallRequest, requestObject} from '../../render/request.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {RequestParameters} from '../../render/resolve-install.js'

/** Creates the request for a package by its reference; without a scope it is for a Namespaced one. */
export function generateInstall(
  era: EraName,
  image: string,
  parameters: Omit<RequestParameters, 'systemNamespace' | 'pin'>,
): KubernetesObject {
  const {path} = parsePackageImage(image)
  const {name, namespace, scope = 'Namespaced', ...rest} = parameters
  const request: InstallRequest = {
    ...rest,
    package: image,
    scope,
    name: checkInstanceName(name ?? defaultInstanceName(path)),
    namespace: namespace === undefined ? '' : checkNamespace(namespace, '--namespace'),
  }
  return requestObject(ERAS[era], checkedRequest(request))
}
