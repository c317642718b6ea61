import {Command} from '@oclif/core/command'
import {boolean} from '@oclif/core/flags'
import {argument} from '../../cli/shell/flags/argument.js'
import {baseFlag} from '../../cli/bundle/bundle-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {nearestDeclarationFlag} from '../../cli/sources/package-flags.js'
import {noRegistryFlag, registryFlags} from '../../cli/registry/registry-flags.js'
import {withDefaultDeclaration} from '../../cli/sources/default-declaration.js'
import {mirrorTarget} from '../../cli/bundle/mirror-target.js'
import {registryAt} from '../../cli/author/build-ports.js'
import {openBundleAt} from '../../cli/sources/bundles.js'
import {declareMirrorsIn} from '../../cli/bundle/declare-mirrors.js'
import {painter} from '../../cli/shell/text/paint.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {formatPushedBundle} from '../../cli/bundle/show-bundle.js'
import {formatDocument, show, showWarnings} from '../../cli/shell/document/show.js'
import {pushBundle} from '../../pipeline/bundle/push-bundle.js'

export default class Push extends Command {
  static override summary = 'Copy all images of a bundle to a registry'
  static override description = `Pushes every image of a bundle, with its digest, below a registry: docker.io/example/provider becomes \
REGISTRY/PREFIX/docker.io/example/provider. What the registry has is skipped. Prints the registries field that has a declaration read \
packages from there and, for packages for a current Crossplane (xpkg), ImageConfigs that do the same for Crossplane.

A tag that exists with another digest is changed only with --force. Before anything is uploaded, the whole bundle is checked for \
missing manifests.`

  static override examples = [
    {
      description: 'Copy a bundle to a registry, and use it as a mirror',
      command: '<%= config.bin %> <%= command.id %> packages.tar registry.example.org/mirror --write',
    },
  ]

  static override args = {
    bundle: argument({required: true, description: 'Bundle: an archive or a folder'}),
    target: argument({required: true, description: 'Registry to push to: HOST[:PORT][/PREFIX]'}),
  }

  static override flags = {
    ...baseFlag,
    force: boolean({helpGroup: 'OUTPUT', summary: 'Overwrite tags that exist with other content'}),
    write: boolean({
      helpGroup: 'OUTPUT',
      summary: 'Add the registries to the declaration and, for xpkgs, xpkg.mirrors',
    }),
    declaration: nearestDeclarationFlag,
    ...registryFlags,
    ...noRegistryFlag,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Push)
    const shown = progress(this.argv)
    const target = mirrorTarget(args.target)
    const bundle = await openBundleAt(args.bundle, flags.base)
    const ports = {registry: registryAt(flags, shown), report: shown.report}
    const {warnings, ...pushed} = await pushBundle({bundle, target, force: flags.force}, ports).finally(
      shown.end,
    )
    showWarnings({warnings}, this.argv)
    if (flags.write) {
      const {declaration} = withDefaultDeclaration(undefined, flags)
      const {registries, imageConfigs} = pushed
      await declareMirrorsIn(declaration, {registries, hasXpkgs: imageConfigs.length > 0})
    }
    await show(
      flags.output === 'text'
        ? formatPushedBundle(pushed, painter(this.argv, 'stdout'))
        : formatDocument({kind: 'BundlePush', bundle: args.bundle, ...pushed}, flags.output),
    )
  }
}
