/** The file with the behavior of a package, for messages. */
export const BEHAVIOR_FILE = '.registry/behavior.yaml'
