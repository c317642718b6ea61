/** Sets a variable of the environment; undefined removes it, where an assignment would set the text "undefined". */
export function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name)
  else process.env[name] = value
}
