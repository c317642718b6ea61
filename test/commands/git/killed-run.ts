import {builtProgram} from '../../built-program.js'
import {type ProgramResult, runProgram} from '../../run-program.js'

/** Runs the built program, which a signal can end, with the git variables of this process. */
export async function runBuilt(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  const ours = Object.entries(process.env).filter(([name]) => name.startsWith('GIT_'))
  return await runProgram(process.execPath, [builtProgram(), 'package', ...args], {
    env: {...Object.fromEntries(ours), ...env},
  })
}

/** The line of a hook that sends a signal to the program: its process started git, which runs the hook. */
export const signalFromHook = (signal: string) => `kill -${signal} $(cut -d' ' -f4 /proc/$PPID/stat)`
