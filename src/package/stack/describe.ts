import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {readPackage} from '../../unpack/read-package.js'
import type {Description} from '../description.js'
import {assumedRender, inspectRendered} from './inspect.js'
import {UNREQUESTED} from './judge-package.js'
import {presentStack} from './presentation.js'
import {surfaceOfStack} from './surface.js'

/** Describes a package, which is read and rendered once for all parts. Throws `package-invalid`. */
export async function describeStack(located: LocatedPackage, ports: PackagePorts): Promise<Description> {
  const read = readPackage(located.name, located.files, located.folder)
  const rendered = assumedRender(located, UNREQUESTED, read)
  return {
    presentation: presentStack(read),
    inspection: await inspectRendered(located, rendered, ports),
    surface: surfaceOfStack(located, {isDescribed: true}, rendered),
    examples: {examples: [], unread: []},
  }
}
