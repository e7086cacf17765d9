//! A name server that does not say the same twice: each name has a row of answers, one for each time
//! that it is asked, the last for good.

use std::collections::HashMap;
use std::net::{IpAddr, UdpSocket};
use std::sync::{Arc, Mutex, PoisonError};

use hickory_proto::op::{Message, MessageType, OpCode, Query, ResponseCode};
use hickory_proto::rr::rdata::CNAME;
use hickory_proto::rr::{Name, RData, Record, RecordType};

/// What is said of a name at once.
#[derive(Clone, Debug)]
pub enum Said {
    /// It has these addresses.
    Has(Vec<IpAddr>),
    /// It is another name for this one.
    Is(&'static str),
}

#[derive(Default)]
struct Zone {
    said: HashMap<String, Vec<Said>>,
    asked: HashMap<(String, RecordType), usize>,
}

/// A running name server; it goes on until the program ends.
#[derive(Clone, Default)]
pub struct NameServer(Arc<Mutex<Zone>>);

impl NameServer {
    /// Starts one at an address.
    ///
    /// # Panics
    /// When the address is taken.
    #[must_use]
    #[track_caller]
    pub fn at(address: &str) -> Self {
        let socket = UdpSocket::bind(address).expect("an address for the name server");
        let server = Self::default();
        let own = server.clone();
        std::thread::spawn(move || {
            let mut asked = [0; 4_096];
            while let Ok((length, whom)) = socket.recv_from(&mut asked) {
                let answer = Message::from_vec(&asked[..length])
                    .ok()
                    .and_then(|question| own.answer(&question).to_vec().ok());
                if let Some(answer) = answer {
                    // Whoever has gone asks again or does not.
                    let _ = socket.send_to(&answer, whom);
                }
            }
        });
        server
    }

    /// What is said of a name: the first time, the second time, and so on.
    pub fn says(&self, name: &str, in_turn: &[Said]) {
        let mut zone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        zone.said.insert(name.to_owned(), in_turn.to_vec());
        zone.asked.retain(|(asked, _), _| asked != name);
    }

    /// How often a name's addresses were asked for.
    #[must_use]
    pub fn times_asked(&self, name: &str) -> usize {
        let zone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = zone.asked.get(&(name.to_owned(), RecordType::A));
        asked.copied().unwrap_or_default()
    }

    fn answer(&self, question: &Message) -> Message {
        let mut answer = Message::response(question.metadata.id, OpCode::Query);
        answer.metadata.message_type = MessageType::Response;
        answer.metadata.recursion_desired = question.metadata.recursion_desired;
        answer.metadata.recursion_available = true;
        answer.add_queries(question.queries.iter().cloned());
        let mut zone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = question
            .queries
            .iter()
            .all(|query| zone.tell(query, &mut answer));
        if !is_known {
            answer.metadata.response_code = ResponseCode::NXDomain;
        }
        answer
    }
}

impl Zone {
    /// Says what is to be said of a name; whether it is known.
    fn tell(&mut self, query: &Query, answer: &mut Message) -> bool {
        let name = query.name().to_ascii().to_lowercase();
        let name = name.trim_end_matches('.').to_owned();
        let Some(row) = self.said.get(&name) else {
            return false;
        };
        let key = (name, query.query_type());
        let turn = self.asked.entry(key).or_default();
        let said = row.get(*turn).or(row.last()).cloned();
        *turn += 1;
        let record = |data| Record::from_rdata(query.name().clone(), 0, data);
        match said {
            Some(Said::Has(addresses)) => {
                for address in addresses {
                    match (address, query.query_type()) {
                        (IpAddr::V4(v4), RecordType::A) => {
                            answer.add_answer(record(RData::A(v4.into())));
                        }
                        (IpAddr::V6(v6), RecordType::AAAA) => {
                            answer.add_answer(record(RData::AAAA(v6.into())));
                        }
                        _ => {}
                    }
                }
                true
            }
            Some(Said::Is(other)) => {
                let other = Name::from_ascii(format!("{other}.")).expect("a name");
                answer.add_answer(record(RData::CNAME(CNAME(other.clone()))));
                self.tell(&Query::query(other, query.query_type()), answer)
            }
            None => false,
        }
    }
}
