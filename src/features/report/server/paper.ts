import { showDate } from '#kit/contract/day.ts';
import type { CardAnswer } from '#kit/contract/served-card.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { openTemplate, type PaperData, type PaperTable } from '#kit/server/paper/paper.ts';

interface PersonData {
  title: Text;
  facts: (readonly [name: Text, value: string])[];
  cards: {
    title: Text;
    facts: (readonly [label: Text, value: Text])[];
    /** What a strip or a chart says, and what an empty card says. */
    lines: Text[];
    table?: PaperTable;
  }[];
}

interface ReportData extends PaperData {
  /** Each begins on a page of its own. */
  people: PersonData[];
  made: Text;
}
const reportTemplate = openTemplate<ReportData>(new URL('./report.typ', import.meta.url));

/** What the paper says of one person. */
export interface Given {
  name: string;
  /** Class and number, or designation and department. */
  about: string;
  period: { from: string; to: string };
  cards: readonly { title: Text; says: CardAnswer }[];
}

function linesOf({ strip, chart, facts, table, empty }: CardAnswer): Text[] {
  const said = [strip?.says, chart?.says].filter((says) => says !== undefined);
  return said.length === 0 && facts.length === 0 && (table?.rows ?? []).length === 0 ? [empty] : said;
}

const personOf = ({ name, about, period, cards }: Given): PersonData => ({
  title: text`Report: ${{ name }}`,
  facts: [
    ...(about ? [[text`About`, about] as const] : []),
    [text`Days`, english(text`${{ from: showDate(period.from) }} to ${{ to: showDate(period.to) }}`)],
  ],
  cards: cards.map(({ title, says }) => ({
    title,
    facts: says.facts.map(({ label, value }) => [label, value] as const),
    lines: linesOf(says),
    ...(says.table && says.table.rows.length > 0 && { table: says.table }),
  })),
});

/** The cards of reports on paper, with who made it and when at the foot of each page. */
export async function reportPaper(ctx: UserContext, title: Text, people: readonly Given[]) {
  const data: ReportData = {
    head: await ctx.readPaperHead(ctx),
    title,
    people: people.map(personOf),
    made: text`Made by ${{ user: ctx.user.name }} on ${{ day: showDate(toLocalDate(ctx.now())) }}`,
  };
  const bytes = await ctx.makePaper(reportTemplate, data, ctx.caller);
  return { mediaType: 'application/pdf', name: 'report.pdf', bytes };
}
