import type {Diagnostic} from '../../diagnostic.js'

/** Reports an image with several layers that are marked as the package's. */
export function baseLayerDiagnostics(baseLayers = 0): readonly Diagnostic[] {
  if (baseLayers < 2) return []
  const message = `${baseLayers} layers are marked as the package: Crossplane up to 2.2 rejects the image, later ones read the first`
  return [{severity: 'error', rule: 'xpkg-base-layers', message, file: 'package.yaml'}]
}
