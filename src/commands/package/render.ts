import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {renderFlags} from '../../cli/render/render-flags.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {withDefaultDeclaration} from '../../cli/sources/default-declaration.js'
import {withRuntime} from '../../cli/render/given-runtime.js'
import {requestPorts} from '../../cli/packages/package-ports.js'
import {savedPlan} from '../../cli/plan/plan-query.js'
import {givenChoices, renderQuery} from '../../cli/render/render-query.js'
import {givenOutput} from '../../cli/render/tree-query.js'
import {xpkgSettings} from '../../cli/render/xpkg-settings.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import type {toOutputDir} from '../../cli/render/output-dir.js'
import {showInstallSet} from '../../cli/shell/document/show.js'
import {objectsIn, showSetDiagnostics} from '../../cli/render/rendered-sets.js'
import {CrossplaneError} from '../../errors.js'
import {expectApplicableToSets, renderSets} from '../../pipeline/render/render-sets.js'

export default class Render extends Command {
  static override summary = 'Print the install set of a package'
  static override description = `Prints what an install creates: of a package for a current Crossplane (xpkg), pinned requests for it and its dependencies; of one of \
Crossplane v0.12, its record, CRDs, roles, service account and Deployment. No cluster is needed, and the same package always gives the same bytes.

REF is a package in a registry, [HOST/]PATH[:TAG][@sha256:DIGEST], or a local one: ./DIR, oci:DIR[:TAG], oci-archive:FILE or \
docker-archive:FILE. References are looked up in the folder of --packages first; one without HOST is in --default-source, and \
one without a tag is the newest stable version. Pulled packages are cached, and --offline uses only the cache.

Dependencies of packages of Crossplane v0.12 are also rendered if --packages or --index is given.

A declaration can have the settings that affect the output as fields, such as render.kubeVersion for --kube-version. A flag \
must have the value of its field, if the declaration has it.`

  static override examples = [
    {
      description: 'Print the requests for a package and its dependencies',
      command:
        '<%= config.bin %> <%= command.id %> xpkg.crossplane.io/crossplane-contrib/provider-helm:v1.4.0 --core-version v2.3.4',
    },
    {
      description: 'Write one file per object for the packages of a declaration',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --output-dir deploy',
    },
    {
      description: 'Write them for Flux',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --output-dir deploy --layout flux',
    },
    {
      description: 'Print what would change in these files',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --output-dir deploy --dry-run',
    },
    {
      description: 'Print the install set of a package of Crossplane v0.12',
      command: '<%= config.bin %> <%= command.id %> ./my-provider --as-package example/my-provider:v0.1.0',
    },
    {
      description: 'Render install requests and package records in a file',
      command: '<%= config.bin %> <%= command.id %> --filename requests.yaml --packages ./packages',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'namespace',
    'output',
    'output-dir',
    'packages',
    'index',
    'as-package',
    'filename',
    'declaration',
    'locked',
    'create-namespace',
    'with-package-api',
    'quiet',
  ]

  static override args = {
    ref: argument({
      description:
        'Package: [HOST/]PATH[:TAG][@DIGEST], ./DIR, oci:DIR[:TAG], oci-archive:FILE or docker-archive:FILE',
    }),
    name: argument({description: "Name of the install or request (default: the repository's path)"}),
  }

  static override flags = {...renderFlags, ...commonFlags}

  override async run(): Promise<void> {
    const {args, flags: parsedFlags, raw} = await this.parse(Render)
    const flags = withDefaultDeclaration(args.ref, parsedFlags)
    const flagNames = writtenFlags(raw)
    const {'output-dir': folder, 'plan-out': planOut, output: format, plan} = flags
    const dryRun = flags['dry-run'] === 'client'
    const showsObjects = flags['show-objects']
    const output = {output: givenOutput(flags), dryRun, planOut, format, showsObjects, argv: this.argv}
    const target = folder === undefined ? undefined : {folder, ...output, format: planFormat(format)}
    if (plan === undefined) checkDryRun(dryRun, target !== undefined, format)
    if (plan !== undefined && target !== undefined) {
      return await writeSet(await savedPlan(plan, {ref: args.ref, flagNames}), target)
    }
    const query = renderQuery(args, await withRuntime(flags), flagNames)
    const shown = progress(this.argv)
    const ports = requestPorts(flags, shown)
    const choices = {
      ...givenChoices(flags, flagNames),
      ...(target === undefined ? {} : {tree: {layout: flags.layout}}),
    }
    const sets = await renderSets(
      query,
      {choices, settings: await xpkgSettings(flags, ports.inputs)},
      ports,
    ).finally(shown.end)
    expectApplicableToSets(sets, flagNames)
    showSetDiagnostics(sets, this.argv)
    if (target === undefined) await showInstallSet(objectsIn(sets), printed(format))
    else await writeSet(sets, target)
  }
}

/** Loaded here: objects that are printed need no plan. */
async function writeSet(...query: Parameters<typeof toOutputDir>): Promise<void> {
  await (await import('../../cli/render/output-dir.js')).toOutputDir(...query)
}

/** Throws `usage` for a format of objects, where files are written. */
function planFormat(format: 'yaml' | 'json' | 'name' | 'github'): 'yaml' | 'json' | 'github' {
  if (format !== 'name') return format
  throw new CrossplaneError('usage', '--output name is for objects that are printed', {
    suggestions: ['Leave out --output or --output-dir.'],
  })
}

function printed(format: 'yaml' | 'json' | 'name' | 'github'): 'yaml' | 'json' | 'name' {
  return format === 'github' ? 'yaml' : format
}

/** Throws `usage` for a dry run of objects that are printed, and for annotations without one. */
function checkDryRun(isDryRun: boolean, hasFolder: boolean, format: string): void {
  if (isDryRun && !hasFolder) {
    throw new CrossplaneError('usage', '--dry-run requires --output-dir', {
      suggestions: ['Pass --output-dir DIR, or leave out --dry-run.'],
    })
  }
  if (format !== 'github' || isDryRun) return
  throw new CrossplaneError('usage', '--output github is for the changes of files', {
    suggestions: ['Also pass --output-dir DIR and --dry-run.'],
  })
}
