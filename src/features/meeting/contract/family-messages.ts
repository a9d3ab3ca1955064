import { text } from '#kit/contract/text.ts';

/** What a family reads where a time can’t be booked or given up. */
export const familyMeetingMessages = {
  taken: text`This time was taken a moment ago.`,
  family: text`You have a time with another teacher then, or are on the way to it. Choose another time.`,
  child: text`This child has a time with this teacher already. Give that up first.`,
  closed: text`This time is no longer offered.`,
  ended: text`Booking has ended. Call the school.`,
  late: text`It is too late to give up this time here. Call the school.`,
};
