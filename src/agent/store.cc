#include "agent/store.h"

#include "agent/numbers.h"
#include "agent/schema.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/text.h"
#include "runtime/wishes.h"

namespace vyre::agent {
namespace {

constexpr std::size_t kPageRows = 200;  // of 64 KiB at most each

std::string lease_text(Milliseconds lease) { return fmt::format("{} ms", lease.count()); }

std::uint64_t number_or_zero(const std::string& text) { return to_number(text).value_or(0); }

bool holds_together(const Wish& wish) {
  return wish.key.version == 2 && wish.key == key_of(wish.fingerprint, wish.shape);
}

// id, identity, key, program, fingerprint, shape, holder
std::optional<PostedWish> wish_of(const Row& row) {
  if (row.size() != 7) return std::nullopt;
  const auto key = parse_key(row[2]);
  const auto shape = parse_shape(row[5]);
  PostedWish out{.id = number_or_zero(row[0]), .holder = row[6]};
  if (!key || !shape || !from_hex(row[4], out.wish.fingerprint)) return std::nullopt;
  out.wish.key = *key;
  out.wish.identity = row[1];
  out.wish.program = row[3];
  out.wish.shape = *shape;
  if (!holds_together(out.wish)) return std::nullopt;
  return out;
}

}  // namespace

Expected<Store> Store::open(const Target& target) {
  VYRE_TRY(Connection connection, Connection::open(target));
  VYRE_TRY_VOID(check_schema(connection));
  return Store(std::move(connection));
}

// The one value of the one row of an answer.
Expected<std::string> Store::scalar(const std::string& statement,
                                    const std::vector<std::string>& values) {
  VYRE_TRY(Answer answer, connection_.query(statement, values));
  if (answer.rows.size() == 1 && answer.rows[0].size() == 1) return std::move(answer.rows[0][0]);
  return bad_inputs("the server's answer is not one value");
}

Expected<void> Store::listen() {
  VYRE_TRY_VOID(connection_.run("listen vyre_decision; listen vyre_wish"));
  return {};
}

Expected<bool> Store::may_publish() {
  VYRE_TRY(const std::string may, scalar("select has_function_privilege('vyre.publish(text, text, "
                                         "text, bigint, integer, bytea, text)', 'execute')"));
  return may == "t";
}

Expected<bool> Store::may_post() {
  VYRE_TRY(const std::string may, scalar("select has_function_privilege('vyre.post(text, text, "
                                         "text, text, text)', 'execute')"));
  return may == "t";
}

Expected<Pulled> Store::pull(Mirror& mirror) {
  // One state for all statements: pages and the count then belong together.
  VYRE_TRY_VOID(connection_.run("begin isolation level repeatable read read only"));
  auto pulled = pull_since(mirror);
  if (!pulled) revision_ = 0;  // the mirror may have a part of it: all of it the next time
  if (connection_.is_open()) VYRE_TRY_VOID(connection_.run("commit"));
  return pulled;
}

Expected<Pulled> Store::pull_since(Mirror& mirror) {
  VYRE_TRY(const std::string revision, scalar("select revision from vyre.schema"));
  VYRE_TRY(const std::string rows, scalar("select count(*) from vyre.decision"));
  Pulled out;
  // The database is not the one that it was: it was restored from an older copy, for example.
  const bool went_back = number_or_zero(revision) < revision_;
  if (went_back || revision_ == 0) {
    mirror.clear();
    revision_ = 0;
  }
  VYRE_TRY_VOID(pull_pages(mirror, out));
  if (mirror.rows() != number_or_zero(rows)) {  // some were deleted
    mirror.clear();
    revision_ = 0;
    VYRE_TRY_VOID(pull_pages(mirror, out));
  }
  return out;
}

Expected<void> Store::pull_pages(Mirror& mirror, Pulled& pulled) {
  while (true) {
    VYRE_TRY(Answer page,
             connection_.query("select adapter, identity, key, evidence, superseded, encode(hash, "
                               "'hex'), entry, revision from vyre.decision where revision > $1 "
                               "order by revision limit $2",
                               {std::to_string(revision_), std::to_string(kPageRows)}));
    for (Row& row : page.rows) {
      if (row.size() != 8) return bad_inputs("the server's rows are not as expected");
      const std::uint64_t revision = number_or_zero(row.back());
      row.pop_back();
      if (revision <= revision_) return bad_inputs("the server's revisions do not grow");
      revision_ = revision;
      ++pulled.rows;
      if (const auto taken = mirror.take(row); !taken) {
        pulled.skipped.push_back(taken.error().message);
      }
    }
    if (page.rows.size() < kPageRows) return {};
  }
}

Expected<bool> Store::publish(const SharedDecision& shared) {
  VYRE_TRY(const Row row, to_row(shared));
  VYRE_TRY(const std::string changed,
           scalar("select vyre.publish($1, $2, $3, $4, $5, decode($6, 'hex'), $7)", row));
  return changed == "1";
}

Expected<bool> Store::post(const Wish& wish) {
  if (!holds_together(wish)) {
    return bad_inputs(
        "the wish for {} is wrong: its key does not follow from its shape and "
        "fingerprint",
        to_string(wish.key));
  }
  VYRE_TRY(const std::string is_new,
           scalar("select vyre.post($1, $2, $3, $4, $5)",
                  {wish.identity, to_string(wish.key), escaped(wish.program),
                   to_hex(wish.fingerprint), shape_text(wish.shape)}));
  return is_new == "t";
}

Expected<std::vector<PostedWish>> Store::wishes(const std::string& identity) {
  VYRE_TRY(const Answer answer,
           connection_.query("select w.id, w.identity, w.key, w.program, w.fingerprint, w.shape, "
                             "case when c.expires > clock_timestamp() then c.holder end "
                             "from vyre.wish w left join vyre.claim c on c.wish = w.id "
                             "where w.identity = $1 order by w.asked desc, w.id limit 10000",
                             {identity}));
  std::vector<PostedWish> out;
  for (const Row& row : answer.rows) {
    if (auto wish = wish_of(row)) out.push_back(*std::move(wish));
  }
  return out;
}

Expected<std::optional<Claim>> Store::claim(std::uint64_t wish, const std::string& holder,
                                            Milliseconds lease) {
  VYRE_TRY(const std::string token, scalar("select vyre.take($1, $2, $3::interval)",
                                           {std::to_string(wish), holder, lease_text(lease)}));
  if (token.empty()) return std::nullopt;
  return Claim{wish, number_or_zero(token)};
}

Expected<bool> Store::renew(const Claim& claim, Milliseconds lease) {
  VYRE_TRY(const std::string is_mine,
           scalar("select vyre.renew($1, $2, $3::interval)",
                  {std::to_string(claim.wish), std::to_string(claim.token), lease_text(lease)}));
  return is_mine == "t";
}

Expected<std::uint64_t> Store::fulfil(const Claim& claim, const SharedDecision& answer) {
  VYRE_TRY(const Row row, to_row(answer));
  Row values{std::to_string(claim.wish), std::to_string(claim.token)};
  values.insert(values.end(), row.begin(), row.end());
  VYRE_TRY(const std::string answered,
           scalar("select vyre.fulfil($1, $2, $3, $4, $5, $6, $7, decode($8, 'hex'), $9)", values));
  return number_or_zero(answered);
}

}  // namespace vyre::agent
