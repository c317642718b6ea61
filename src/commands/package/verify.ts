import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {commonFlags} from '../../cli/flags/global.js'
import {reportOutputFlag} from '../../cli/flags/output.js'
import {pullFlags} from '../../cli/flags/pull.js'
import {signerFlags} from '../../cli/flags/verify.js'
import {signerRule} from '../../cli/options/signer-rule.js'
import {painter} from '../../cli/output/paint.js'
import {progress} from '../../cli/output/progress.js'
import {formatSignatures} from '../../cli/output/show-signatures.js'
import {formatDocument, show} from '../../cli/output/show.js'
import {inputFiles} from '../../cli/ports/input-files.js'
import {packagePorts} from '../../cli/ports/package-ports.js'
import {cryptography} from '../../cli/wire.js'
import {verifyPackages} from '../../pipeline/signatures/verify-package.js'

export default class Verify extends Command {
  static override summary = 'Verify the signatures of a package'
  static override description = `Verifies the signatures and attestations of a package for exactly its digest, without asking a transparency log or a \
certificate authority: bundles of cosign that refer to the image, and the .sig and .att tags of its older versions. Prints each \
with its signer. Exits with 4 without a signature of a trusted signer.`

  static override examples = [
    {
      description: 'Verify that a key has signed a package',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --key cosign.pub',
    },
    {
      description: 'Verify that a workflow of a repository has signed it',
      command:
        "<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --certificate-identity 'https://github.com/example/provider/.github/workflows/release.yaml@refs/tags/*' --certificate-oidc-issuer https://token.actions.githubusercontent.com --trusted-root trusted_root.json",
    },
  ]

  static override args = {
    ref: argument({required: true, description: 'Package: [HOST/]PATH[:TAG][@DIGEST]'}),
  }

  static override flags = {
    ...signerFlags,
    ...pullFlags,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Verify)
    const shown = progress(this.argv)
    const rule = await signerRule(flags, inputFiles)
    const ports = {...(await packagePorts(flags, shown)), cryptography}
    const packages = await verifyPackages([args.ref], rule, ports).finally(shown.end)
    await show(
      flags.output === 'text'
        ? formatSignatures(packages, painter(this.argv, 'stdout'))
        : formatDocument({kind: 'SignatureReport', packages}, flags.output),
    )
  }
}
