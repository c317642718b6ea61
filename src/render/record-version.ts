/** Whether a text may be a record's version: it is part of the names of roles, which hold no slash. */
export function isRecordVersion(version: string): boolean {
  return /^[^\s/%]{1,128}$/.test(version)
}
