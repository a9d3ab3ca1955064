import type { Random } from '#kit/server/random.ts';

/**
 * First names and surnames of one community. They are usual names, combined at random: no list of real people was used.
 */
interface Community {
  /** The number of families of this community in a hundred. */
  share: number;
  surnames: string[];
  girls: string[];
  boys: string[];
  women: string[];
  men: string[];
}

const words = (text: string) => text.trim().split(/\s+/);

const communities: Community[] = [
  {
    share: 76,
    surnames: words(`
      Patel Shah Desai Mehta Joshi Trivedi Rathod Solanki Parmar Chauhan Vyas Pandya Bhatt Dave Modi Parekh Gandhi Naik
      Vaghela Makwana Gohil Zala Prajapati Panchal Mistry Suthar Lad Kapadia Jariwala Chokshi Sheth Doshi Vora Sanghvi
      Kothari Savani Kakadiya Vekariya Lakhani Dholakia Gajera Mangukiya Dobariya Kheni Rana Bhavsar Raval Thakkar Soni
      Amin`),
    girls: words(`
      Aanya Aarohi Anaya Avni Bhavya Charmi Darshi Diya Dhruvi Forum Heer Hetvi Ira Jhanvi Jiya Kavya Khushi Krisha Mahi
      Mishti Myra Naisha Navya Nidhi Nitya Palak Pari Prisha Rahi Riddhi Riya Ruhi Saanvi Sharvi Siya Swara Tara Trisha
      Twisha Urvi Vidhi Vrinda Yashvi Zeel`),
    boys: words(`
      Aarav Advait Akshar Arjun Aryan Atharv Bhavin Daksh Darsh Dev Dhairya Dhruv Harsh Het Ishaan Jainil Jay Kabir Kavish
      Krish Kush Laksh Manan Meet Mihir Naitik Namra Neel Nirav Om Param Parth Preet Purv Raj Rudra Samarth Shaurya Smit
      Tanish Tirth Vansh Ved Vihaan Vivaan Yug`),
    women: words(`
      Alpa Ami Asha Avani Bhavna Bina Chetna Daksha Darshana Dipti Falguni Hetal Hina Jagruti Jignasha Kajal Komal Krupa
      Manisha Mittal Neeta Nehal Nisha Payal Pooja Priti Rachna Rekha Rupal Sejal Shital Shilpa Sonal Swati Tejal Urmi
      Vaishali Varsha`),
    men: words(`
      Alpesh Amit Ankit Ashok Bhavesh Bharat Chirag Dharmesh Dinesh Divyesh Girish Hardik Harish Hemant Hitesh Jatin
      Jayesh Jignesh Kalpesh Kamlesh Ketan Kirit Mahesh Manish Mayur Mehul Mukesh Naresh Nikhil Nilesh Paresh Piyush
      Pravin Rajesh Rakesh Ramesh Sanjay Sunil Tejas Umesh Vimal Viral Vipul Yogesh`),
  },
  {
    share: 9,
    surnames: words('Shaikh Khan Pathan Saiyed Memon Mansuri Malek Qureshi Vohra Multani Ansari Patwa'),
    girls: words('Aafreen Aaliya Aisha Alina Fatema Hafsa Inaya Mahira Maryam Nida Rida Saba Sana Zara Zoya'),
    boys: words('Aamir Aariz Arham Ayaan Danish Faizan Hamza Ibrahim Mohsin Rayyan Rehan Sahil Umar Zaid Zayan'),
    women: words('Afsana Ayesha Farida Farzana Nargis Nasreen Rehana Rukhsana Sabina Salma Shabana Sultana Yasmin'),
    men: words('Abbas Altaf Arif Asif Farooq Iqbal Imran Javed Mustafa Nadeem Rafiq Salim Shakil Yusuf Zakir'),
  },
  {
    share: 9,
    surnames: words(`
      Sharma Gupta Agarwal Jain Mishra Tiwari Yadav Singh Verma Rathi Maheshwari Jangid Choudhary Khandelwal Pandey`),
    girls: words('Aditi Ananya Anushka Ishita Kritika Mansi Nandini Pragati Sakshi Shreya Suhani Tanvi Vanshika'),
    boys: words('Aditya Abhinav Ansh Divyansh Kartik Lakshay Pranav Rishabh Rohan Shivansh Utkarsh Vaibhav Yash'),
    women: words('Anjali Archana Kiran Mamta Meenu Neelam Pratibha Rashmi Renu Ritu Sarita Seema Sunita Vandana'),
    men: words('Ajay Alok Anil Arvind Deepak Gaurav Manoj Pankaj Praveen Rajiv Ravi Sandeep Satish Sudhir Vivek'),
  },
  {
    share: 4,
    surnames: words('Patil Jadhav Pawar Shinde Kulkarni Deshmukh More Sonawane Mahajan Chaudhari'),
    girls: words('Anvi Gauri Isha Madhura Mrunal Rutuja Sai Sanika Shravani Vaishnavi'),
    boys: words('Arnav Chinmay Ojas Omkar Prathamesh Rugved Sarthak Soham Swaraj Tejas'),
    women: words('Aparna Ashwini Jyoti Kalpana Madhuri Manjusha Sangita Smita Vidya'),
    men: words('Ganesh Kishor Mangesh Nitin Prashant Sachin Santosh Sharad Vijay'),
  },
  {
    share: 2,
    surnames: words('Iyer Nair Menon Reddy Pillai Rao Naidu Subramanian'),
    girls: words('Aadhya Akshara Deepika Keerthi Lakshmi Meenakshi Nila Sahana'),
    boys: words('Adhvik Aravind Karthik Madhav Nikhil Pranav Surya Vishnu'),
    women: words('Bindu Geetha Kavitha Padma Priya Radha Revathi Sudha'),
    men: words('Anand Balaji Hari Krishnan Murali Prakash Ramesh Suresh'),
  },
];

/** Each community as many times as its share. */
const drawn = communities.flatMap(({ share, ...community }) => Array.from({ length: share }, () => community));

export const drawCommunity = (random: Random): Omit<Community, 'share'> => random.oneOf(drawn);
