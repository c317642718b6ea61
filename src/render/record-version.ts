/**
 * Reports whether a text can be a record's version: it is part of the names of roles, which must not contain a slash.
 */
export function isRecordVersion(version: string): boolean {
  return /^[^\s/%]{1,128}$/.test(version)
}
