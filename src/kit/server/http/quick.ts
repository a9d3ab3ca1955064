import * as core from 'zod/v4/core';

/**
 * Makes a contract's schema check objects ten times as fast, with the same outcome. The contracts are written with
 * zod/mini, which for the sake of the browsers' bundles does without compiling an object's check; this adds it on the server
 * (docs/decisions/0032). May be called again with the same schema.
 */
export function quicken(schema: core.$ZodType) {
  const seen = new Set<object>();
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const def = isSchema(value) ? value._zod.def : value;
    for (const inner of Object.values(def)) walk(inner);
    if (isSchema(value) && value._zod.def.type === 'object') compile(value as core.$ZodObject);
  };
  walk(schema);
}

const isSchema = (value: object): value is core.$ZodType => '_zod' in value;

const compiled: core.$constructor<core.$ZodObject> = core.$ZodObjectJIT;

function compile(schema: core.$ZodObject) {
  // What has no checks of its own runs by its parsing alone.
  const runsByParsing = schema._zod.run === schema._zod.parse;
  compiled.init(schema, schema._zod.def);
  if (runsByParsing) schema._zod.run = schema._zod.parse;
}
