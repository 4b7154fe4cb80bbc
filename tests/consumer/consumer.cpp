// SPDX-License-Identifier: LGPL-2.1-or-later
// The same in C++: the header has to compile there and its names have to link.
#include <mbmcat/mbmcat.h>

#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>

namespace {

template <auto free_it> struct deleter {
	template <typename T> void operator()(T *object) const { free_it(object); }
};

template <typename T, auto free_it> using held = std::unique_ptr<T, deleter<free_it>>;

using context = held<mbmcat_ctx, mbmcat_ctx_close>;
using wish = held<mbmcat_wish, mbmcat_wish_free>;
using snapshot = held<mbmcat_snapshot, mbmcat_snapshot_free>;
using subset = held<mbmcat_subset, mbmcat_subset_free>;
using plan = held<mbmcat_plan, mbmcat_plan_close>;
using sample = held<mbmcat_sample, mbmcat_sample_free>;

template <typename Held, typename Make> Held make(Make make_it)
{
	typename Held::pointer object = nullptr;
	int ret = make_it(&object);

	if (ret < 0)
		throw std::system_error(-ret, std::generic_category());
	return Held(object);
}

void read_all(const std::string &dir)
{
	auto c = make<context>(
		[&](auto p) { return mbmcat_ctx_open(p, dir.c_str(), MBMCAT_OPEN_ANY); });
	auto snap = make<snapshot>([&](auto p) { return mbmcat_scan(c.get(), p); });
	wish w(mbmcat_wish_new());
	auto sub = make<subset>(
		[&](auto p) { return mbmcat_select(snap.get(), w.get(), p, nullptr); });
	auto held_open = make<plan>(
		[&](auto p) { return mbmcat_plan_open(c.get(), sub.get(), 1000, p); });
	auto read = make<sample>([&](auto p) { return mbmcat_sample_new(held_open.get(), p); });
	std::size_t domains = mbmcat_plan_domains(held_open.get()), ok = 0;

	for (std::size_t i = 0; i < domains; i++) {
		mbmcat_read(held_open.get(), read.get(), i);
		ok += mbmcat_sample_pass(read.get(), i)->n_ok;
	}
	std::cout << domains << " domains, " << mbmcat_plan_counters(held_open.get())
		  << " counters, " << ok << " counts\n";
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 2 || std::strcmp(mbmcat_version(), MBMCAT_VERSION) != 0)
		return 2;
	try {
		read_all(argv[1]);
	} catch (const std::system_error &e) {
		std::cerr << argv[1] << ": " << e.what() << '\n';
		return 1;
	}
	return 0;
}
