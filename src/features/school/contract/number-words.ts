const gujarati =
  'શૂન્ય એક બે ત્રણ ચાર પાંચ છ સાત આઠ નવ દસ અગિયાર બાર તેર ચૌદ પંદર સોળ સત્તર અઢાર ઓગણીસ વીસ એકવીસ બાવીસ ત્રેવીસ ચોવીસ પચીસ છવ્વીસ સત્તાવીસ અઠ્ઠાવીસ ઓગણત્રીસ ત્રીસ એકત્રીસ બત્રીસ તેત્રીસ ચોત્રીસ પાંત્રીસ છત્રીસ સાડત્રીસ આડત્રીસ ઓગણચાલીસ ચાલીસ એકતાલીસ બેતાલીસ તેતાલીસ ચુંમાલીસ પિસ્તાલીસ છેતાલીસ સુડતાલીસ અડતાલીસ ઓગણપચાસ પચાસ એકાવન બાવન ત્રેપન ચોપન પંચાવન છપ્પન સત્તાવન અઠ્ઠાવન ઓગણસાઠ સાઠ એકસઠ બાસઠ ત્રેસઠ ચોસઠ પાંસઠ છાસઠ સડસઠ અડસઠ ઓગણસિત્તેર સિત્તેર એકોતેર બોતેર તોતેર ચુંમોતેર પંચોતેર છોતેર સિત્યોતેર ઇઠ્યોતેર ઓગણાએંસી એંસી એક્યાસી બ્યાસી ત્યાસી ચોર્યાસી પંચાસી છ્યાસી સત્યાસી અઠ્યાસી નેવ્યાસી નેવું એકાણું બાણું ત્રાણું ચોરાણું પંચાણું છન્નું સત્તાણું અઠ્ઠાણું નવ્વાણું'.split(
    ' ',
  );
const hindi =
  'शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सतासी अट्ठासी नवासी नब्बे इक्यानवे बानवे तिरानवे चौरानवे पंचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे'.split(
    ' ',
  );

/** The words below a hundred, and how larger ones follow: of hundreds the whole word, of others the name of the unit. */
const languages = {
  gu: {
    small: gujarati,
    hundreds: (count: number) => `${count === 2 ? 'બ' : gujarati[count]}સો`,
    units: ['કરોડ', 'લાખ', 'હજાર'],
  },
  hi: { small: hindi, hundreds: (count: number) => `${hindi[count]} सौ`, units: ['करोड़', 'लाख', 'हज़ार'] },
} as const;

const sizes = [10_000_000, 100_000, 1000] as const;

/** Whether numbers are spelled in a language. */
export const isSpelled = (language: string): language is keyof typeof languages => Object.hasOwn(languages, language);

/** A whole number in words, with lakh and crore. */
export function numberInWords(count: number, language: keyof typeof languages): string {
  const { small, hundreds, units } = languages[language];
  if (count < 100) return small[count] ?? '';
  const [size, place] = [...sizes.entries()].map(([at, one]) => [one, at] as const).find(([one]) => count >= one) ?? [];
  const [head, rest] =
    size === undefined || place === undefined
      ? [hundreds(Math.floor(count / 100)), count % 100]
      : [`${numberInWords(Math.floor(count / size), language)} ${units[place]}`, count % size];
  return rest === 0 ? head : `${head} ${numberInWords(rest, language)}`;
}
