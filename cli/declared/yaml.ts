// The one file that loads the YAML library: it tells the places of what it reads, and writes.
export { type Document, isMap, isScalar, LineCounter, parse, parseDocument, stringify } from 'yaml';
