import { parseArgs } from 'node:util';

interface Option {
  type: 'string' | 'boolean';
  /** The value's placeholder in the help: "<minutes>". */
  value?: string;
  default?: string | boolean;
  /** The pattern of valid values; any value is valid without it. */
  accepts?: RegExp;
  help: string;
}

interface CommandLine<Options extends Record<string, Option>> {
  /** The command's name: "npm run backup". */
  command: string;
  /** One sentence about the command. */
  does: string;
  options?: Options;
  /** The argument that may follow the options, and one more. */
  argument?: Argument;
  secondArgument?: Argument;
}

interface Argument {
  name: string;
  help: string;
}

type Values<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Options[Name]['type'] extends 'boolean'
    ? boolean
    : Options[Name] extends { default: string }
      ? string
      : string | undefined;
};

/**
 * Parses the arguments of a command. `--help` prints the usage and exits with 0; an unknown option or argument is
 * refused in one line and exits with 1. Call it first.
 */
export function readCommandLine<const Options extends Record<string, Option> = Record<never, Option>>(
  line: CommandLine<Options>,
  words = process.argv.slice(2),
): { values: Values<Options>; argument: string | undefined; secondArgument: string | undefined } {
  const options = Object.fromEntries(
    Object.entries<Option>(line.options ?? {}).map(([name, { type, default: usual }]) => [
      name,
      { type, ...(usual === undefined ? type === 'boolean' && { default: false } : { default: usual }) },
    ]),
  );
  const end = (code: number, text: string): never => {
    process.stdout.write(`${text}\n`);
    process.exit(code);
  };
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: { ...options, help: { type: 'boolean' } },
      allowPositionals: true,
    });
    if (values.help) end(0, helpOf(line));
    const unknown = positionals[argumentsOf(line).length];
    if (unknown !== undefined) throw new Error(`Unexpected argument '${unknown}'.`);
    for (const [name, { accepts, value }] of Object.entries<Option>(line.options ?? {})) {
      const text = (values as Record<string, unknown>)[name];
      if (typeof text === 'string' && accepts?.test(text) === false)
        throw new Error(`Option '--${name} ${text}' is not ${value}.`);
    }
    if (process.env.SHALA_ONLY_READS) process.exit(0); // run.mjs calls this before it installs packages.
    const [argument, secondArgument] = positionals;
    return { values: values as Values<Options>, argument, secondArgument };
  } catch (error) {
    const [reason] = (error as Error).message.split(/\. |\n/);
    return end(1, `shala: ${reason?.replace(/\.$/, '')}. ${line.command} -- --help lists the options.`);
  }
}

const argumentsOf = ({ argument, secondArgument }: Pick<CommandLine<never>, 'argument' | 'secondArgument'>) =>
  [argument, secondArgument].filter((one) => one !== undefined);

function helpOf(line: CommandLine<Record<string, Option>>): string {
  const { command, does, options = {} } = line;
  const words = argumentsOf(line);
  const lines: [string, string][] = [
    ...words.map(({ name, help }): [string, string] => [`<${name}>`, help]),
    ...Object.entries(options).map(([name, { value, default: usual, help }]): [string, string] => [
      `--${name}${value ? ` ${value}` : ''}`,
      usual === undefined || typeof usual === 'boolean' ? help : `${help} Default: ${usual || 'none'}.`,
    ]),
    ['--help', 'Print this help.'],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return [
    does,
    '',
    `Usage: ${command} -- [options]${words.map(({ name }) => ` [<${name}>]`).join('')}`,
    '',
    ...lines.map(([name, help]) => `  ${name.padEnd(width)}  ${help}`),
  ].join('\n');
}
