// Messages of the program's catalogue, as the build reads them from its files.

/** A message: text, fields by their names, and choices by a field, the last of which is taken when no other fits. */
export type Pattern =
  | string
  | readonly (string | { field: string } | { by: string; of: [string, Pattern][] })[];

/** Messages by their codes. */
export type Catalogue = Readonly<Record<string, Pattern>>;
