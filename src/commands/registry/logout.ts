import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {outcomeOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {formatLogout} from '../../cli/registry/show-login.js'
import {formatDocument, show} from '../../cli/shell/document/show.js'
import {registryAccounts} from '../../cli/wire.js'
import {logout, parseRegistry} from '../../pipeline/login.js'

export default class Logout extends Command {
  static override summary = 'Log out of a registry'
  static override description =
    'Removes the credentials for a registry from the files of docker, podman and skopeo, and from the credential helper that they name for it. The registry is not contacted.'

  static override examples = [
    '<%= config.bin %> <%= command.id %> registry.example.org',
    '<%= config.bin %> <%= command.id %> docker.io --output json',
  ]

  static override args = {
    host: argument({required: true, description: 'Registry: HOST[:PORT], or docker.io'}),
  }

  static override flags = {
    ...outcomeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Logout)
    const done = await logout(parseRegistry(args.host), await registryAccounts())
    await show(
      flags.output === 'text'
        ? formatLogout(done)
        : formatDocument({kind: 'RegistryLogout', ...done}, flags.output),
    )
  }
}
