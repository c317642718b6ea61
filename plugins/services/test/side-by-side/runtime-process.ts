import {asObject, asText, asTexts, type JsonObject} from 'kubectl-crossplane/plugin'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {findServer} from '../../../../test/cluster/find-server.js'
import {freePort} from '../../../../test/cluster/free-port.js'
import {until} from '../../../../test/cluster/kube.js'
import {startServer, type ServerProcess} from '../../../../test/cluster/server-process.js'
import {crossplaneRuntime} from '../../../../test/cluster/servers.js'
import type {ExternalSystem} from '../stories/external-system.js'

/** A process with the reconcilers of crossplane-runtime, and its external system. */
export class RuntimeProcess implements Pick<ExternalSystem, 'calls'> {
  calls: string[] = []
  readonly instances: ExternalSystem['instances'] = new Map()
  readonly #process: ServerProcess
  readonly #control: string

  private constructor(process: ServerProcess, control: string) {
    this.#process = process
    this.#control = control
  }

  /** Starts it for the objects with a label. */
  static async start({kubeconfig, folder}: TestCluster, servedBy: string): Promise<RuntimeProcess> {
    const control = `127.0.0.1:${await freePort()}`
    const env = {KUBECONFIG: kubeconfig, CONTROL: control, SERVED_BY: servedBy, SHORT: '1', LONG: '2'}
    const program = findServer(crossplaneRuntime) ?? crossplaneRuntime.name
    const started = new RuntimeProcess(
      await startServer(crossplaneRuntime.name, program, [], folder, env),
      control,
    )
    await until(
      async () =>
        await started.refresh().then(
          () => true,
          () => false,
        ),
      Boolean,
    )
    return started
  }

  /** Makes what a step of a story says. */
  async steer({do: what, ...step}: JsonObject): Promise<void> {
    const words = Object.entries(step).map(([key, value]): [string, string] => [
      key,
      typeof value === 'number' ? `${value}` : asText(value),
    ])
    await this.#send(`/${asText(what)}?${new URLSearchParams(words).toString()}`)
  }

  /** Reads the calls and instances as they are. */
  async refresh(): Promise<void> {
    const {calls, instances} = await this.#send('/')
    this.calls = [...asTexts(calls)]
    this.instances.clear()
    for (const [name, instance] of Object.entries(asObject(instances))) {
      const {Level, Version, State, Password} = asObject(instance)
      const state = {level: Number(Level), version: asText(Version), state: asText(State)}
      this.instances.set(name, {...state, password: asText(Password), left: 0})
    }
  }

  async #send(path: string): Promise<JsonObject> {
    if (this.#process.ended()) throw new Error(this.#process.lastLines(20))
    const response = await fetch(`http://${this.#control}${path}`, {method: 'POST'})
    return (await response.json()) as JsonObject
  }

  async stop(): Promise<void> {
    await this.#process.kill()
  }
}
