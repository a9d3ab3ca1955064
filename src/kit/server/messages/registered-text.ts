/** The text of a kind of message as the operators registered it, with the id of its template. */
export interface RegisteredText {
  templateId: string;
  /** Empty while it is not registered. */
  text: string;
  /** Our text with the names of its values, as it was when the school entered a registered text that agreed with it. */
  pattern: string;
}

interface Variable {
  /** The characters that its value may have. */
  holds: RegExp;
  /** The most characters of its value; the least is one. */
  most: number;
}

/**
 * Operators accept up to 30 characters for a variable. A link may have 100: `https://`, a school's own domain and a short
 * code are rarely shorter than 30, and the operators compare a link with the registered domain, not with a length.
 * Letters and digits include spaces, since names and dates have them.
 */
const variables: Record<string, Variable> = {
  var: { holds: /./su, most: 30 },
  numeric: { holds: /[0-9]/, most: 30 },
  number: { holds: /[0-9]/, most: 30 },
  alphanumeric: { holds: /[\p{L}\p{M}\p{N} ]/u, most: 30 },
  url: { holds: /[\p{L}\p{M}\p{N}\-._~:/?#[\]@!$&'()*+,;=%]/u, most: 100 },
  email: { holds: /[A-Za-z0-9.!#$%&'*+/=?^_`{|}~@-]/, most: 30 },
  cbn: { holds: /[0-9+ -]/, most: 30 },
};

/** A variable of a registered text; the names have a fixed length, so that no text makes the search slow. */
const variable = /(\{#(?:var|numeric|number|alphanumeric|url|email|cbn)#\})/;

/** A registered text as its variables and single characters. */
const partsOf = (registered: string): (Variable | string)[] =>
  registered.split(variable).flatMap((part, place): (Variable | string)[] => {
    // Between two texts stands a variable.
    const found = place % 2 === 1 ? variables[part.slice(2, -2)] : undefined;
    return found ? [found] : [...part];
  });

/** Whether an operator takes a text for the registered one: equal letter for letter, apart from the variables. */
export const keepsTo = (registered: string, text: string): boolean => differenceFrom(registered, text) === undefined;

/**
 * The rest of a text from where it differs from the registered one, empty where it ends too early; undefined where it
 * keeps to it. It follows all places that the registered text can have reached, each once a part and no further than the
 * variables reach: for one registered text the time is bounded, however long the text.
 */
export function differenceFrom(registered: string, text: string): string | undefined {
  const characters = [...text];
  const rest = (from: number) => characters.slice(from).join('');
  /** The places after the parts so far, ascending. */
  let places = [0];
  /** The furthest place after a fixed character, where a reader looks for the difference. */
  let fixed = 0;
  for (const part of partsOf(registered)) {
    const isFixed = typeof part === 'string';
    places = isFixed
      ? places.filter((place) => characters[place] === part).map((place) => place + 1)
      : placesAfter(part, places, characters);
    const last = places.at(-1);
    if (last === undefined) return rest(fixed);
    if (isFixed) fixed = last;
  }
  return places.at(-1) === characters.length ? undefined : rest(fixed);
}

/** The places at which a variable's value can end that began at one of these. */
function placesAfter({ holds, most }: Variable, starts: readonly number[], characters: readonly string[]): number[] {
  const ends: number[] = [];
  for (const [index, start] of starts.entries()) {
    // From the next start on, a value that begins there reaches further.
    const until = Math.min(start + most, starts[index + 1] ?? characters.length, characters.length);
    for (let place = start; place < until && holds.test(characters[place] ?? ''); place++) ends.push(place + 1);
  }
  return ends;
}
